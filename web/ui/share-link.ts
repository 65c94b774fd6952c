import { toast } from './toast-store.ts'

const peopleNeedAccounts = 'People need an account to open it.'

/** Phones open their share sheet. Other devices copy the URL. */
export async function shareLink(url: string, title: string, copied = peopleNeedAccounts): Promise<void> {
  try {
    // On desktops, copying is more convenient than the system's share dialog.
    if (matchMedia('(pointer: coarse)').matches && 'share' in navigator) return await navigator.share({ title, url })
    await copy(url, copied)
  } catch (error) {
    // The share sheet was dismissed.
    if (error instanceof DOMException && error.name === 'AbortError') return
    offer(url)
  }
}

export async function copyLink(url: string): Promise<void> {
  try {
    await copy(url, peopleNeedAccounts)
  } catch {
    offer(url)
  }
}

async function copy(url: string, description: string): Promise<void> {
  await navigator.clipboard.writeText(url)
  toast({ title: 'Link copied', description })
}

/** Used if copying or sharing fails, for example without HTTPS, which the clipboard requires. */
const offer = (url: string): void => void toast({ title: 'Copy this link to share it', description: url })
