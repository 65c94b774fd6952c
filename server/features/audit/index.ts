export { type AuditEntry, recordAudit } from './record.ts'
export { type AuditBreak, findAuditBreak, type KnownEntry, verifyAudit } from './verify.ts'
