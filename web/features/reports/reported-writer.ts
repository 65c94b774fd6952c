/** Whose it is that is reported. */
export type ReportedWriter = { kind: 'person' | 'business'; id: string; name: string }
