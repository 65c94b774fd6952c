export { type AuditEntry, recordAudit } from './record.ts'
export { findAuditBreak } from './verify.ts'
