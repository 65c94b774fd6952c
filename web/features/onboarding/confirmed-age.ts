import { recall, remember } from '../accounts/tab-memory.ts'

const key = 'age-confirmed'

/** Whether the gate was passed in this tab: before signing up, say, so that it is not asked again after. */
export const hasConfirmedAge = (): boolean => recall(key) === true

export const confirmAge = (): void => remember(key, true)
