export default { id: "search", title: "Search", open: async (room) => { room.append("Search"); } };
