export { type AuditEntry, recordAudit } from './record.ts'
export { type AuditBreak, findAuditBreak, type KeptPlace, verifyAudit } from './verify.ts'
