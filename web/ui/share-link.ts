import { toast } from './toast-store.ts'

/** Hands an address to the device's own sharing; where there is none, it is copied. */
export async function shareLink(url: string, title: string, copied = 'Whoever opens it has to be signed in.'): Promise<void> {
  try {
    // On a desktop the dialog of the system is more in the way than a copied link.
    if (matchMedia('(pointer: coarse)').matches && 'share' in navigator) return await navigator.share({ title, url })
    await navigator.clipboard.writeText(url)
    toast({ title: 'Link copied', description: copied })
  } catch (error) {
    // Somebody closed the sharing dialog.
    if (error instanceof DOMException && error.name === 'AbortError') return
    // Without https there is no clipboard.
    toast({ title: 'Copy this link to share it', description: url })
  }
}
