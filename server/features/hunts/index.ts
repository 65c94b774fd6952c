export { type AccessibleHunt, type HuntAccess, huntAccess, requireHunt } from './hunt-access.ts'
export { type HuntEvent, type HuntEventKind, recordHuntEvents } from './hunt-events.ts'
