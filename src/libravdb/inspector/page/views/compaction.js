export default { id: "compaction", title: "Compaction", open: async (room) => { room.append("Compaction"); } };
