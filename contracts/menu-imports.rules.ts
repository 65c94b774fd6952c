export const maxMenuFileBytes = 16 * 1024 * 1024
export const maxMenuRows = 50_000
