import { messageOf } from '#web/lib/api-error.ts'
import { toast } from './toast-store.ts'

/** Reports that something couldn't be opened because its code failed to load. The page and its input stay. */
export function toastMissingCode(): void {
  toast({
    title: 'This couldn’t be opened',
    description: 'You may be offline, or a newer version may be available. Reload the page when you’re ready.',
    action: { label: 'Reload', onClick: () => location.reload() },
  })
}

/** For settings saved immediately: reports that a change was reverted, and why. */
export const toastNotSaved = (error: unknown): void =>
  void toast({ title: 'Your settings weren’t saved', description: messageOf(error), variant: 'destructive' })
