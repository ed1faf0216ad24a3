export default { id: "prompt", title: "Prompt", open: async (room) => { room.append("Prompt"); } };
