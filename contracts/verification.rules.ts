/** Number of different people required for a manual approval. */
export const approvalsNeeded = 2
