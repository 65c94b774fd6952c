import { useSyncExternalStore } from 'react'
import { removals } from './pending-removals.ts'

/** The ids of posts and comments that were just deleted here: lists leave them out. */
export const useRemoved = (): ReadonlySet<string> => useSyncExternalStore(removals.subscribe, removals.hidden, removals.hidden)
