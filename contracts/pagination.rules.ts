export const maxPageSize = 100
