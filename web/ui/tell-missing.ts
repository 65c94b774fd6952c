import { toast } from './toast-store.ts'

/** Says that what was pressed did not open, for want of its code. The page is left as it is, with what is typed in it. */
export function tellMissing(): void {
  toast({
    title: 'This could not be opened',
    description: 'You may be offline, or a newer version is here. Reload the page when you are ready.',
    action: { label: 'Reload', onClick: () => location.reload() },
  })
}
