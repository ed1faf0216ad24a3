export default { id: "health", title: "Health", open: async (room) => { room.append("Health"); } };
