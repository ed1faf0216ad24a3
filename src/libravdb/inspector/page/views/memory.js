export default { id: "memory", title: "Memory", open: async (room) => { room.append("Memory"); } };
