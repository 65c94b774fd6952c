import { toast } from './toast-store.ts'

/** Shares a URL with the device's share sheet, or copies it. */
export async function shareLink(url: string, title: string, copied = 'People need an account to open it.'): Promise<void> {
  try {
    // On desktops, copying is more convenient than the system's share dialog.
    if (matchMedia('(pointer: coarse)').matches && 'share' in navigator) return await navigator.share({ title, url })
    await navigator.clipboard.writeText(url)
    toast({ title: 'Link copied', description: copied })
  } catch (error) {
    // The share sheet was dismissed.
    if (error instanceof DOMException && error.name === 'AbortError') return
    // The clipboard requires HTTPS.
    toast({ title: 'Copy this link to share it', description: url })
  }
}
