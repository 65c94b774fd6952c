import { useCanGoBack, useRouter } from '@tanstack/react-router'

/** The Navigation API, whose history spans page loads but only contains pages of this site. */
type Navigation = { readonly canGoBack: boolean }

/** Goes to the fallback if the tab's previous page is on another site or doesn't exist. */
export function useGoBack(fallback: '/' | '/discover'): () => void {
  const router = useRouter()
  const isInsideOfLoad = useCanGoBack()
  return () => {
    const { navigation } = window as { navigation?: Navigation }
    const canGoBack = navigation?.canGoBack ?? (isInsideOfLoad || document.referrer.startsWith(`${location.origin}/`))
    if (canGoBack) router.history.back()
    else void router.navigate({ to: fallback })
  }
}
