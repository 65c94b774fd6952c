export const growthStages = ['germination', 'seedling', 'vegetative', 'flower', 'drying', 'curing'] as const

export const maxPhotosOfLog = 10
/** Rows per batch. */
export const maxLogsAtOnce = 200
