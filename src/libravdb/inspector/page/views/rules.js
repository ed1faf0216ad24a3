export default { id: "rules", title: "Rules", open: async (room) => { room.append("Rules"); } };
