import { messageOf } from '../lib/api-error.ts'
import { toast } from './toast-store.ts'

/** For settings that are saved as they are changed: the change is taken back, and why. */
export const tellNotSaved = (error: unknown): void =>
  void toast({ title: 'Your settings were not saved', description: messageOf(error), variant: 'destructive' })
