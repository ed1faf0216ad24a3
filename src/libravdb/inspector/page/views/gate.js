export default { id: "gate", title: "Gate", open: async (room) => { room.append("Gate"); } };
