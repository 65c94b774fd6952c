import { useCanGoBack, useRouter } from '@tanstack/react-router'

/** The browser's Navigation API, where there is one: it looks back over page loads, and at pages of this site alone. */
type Navigation = { readonly canGoBack: boolean }

/** Goes to the page that this tab showed before, or to the fallback where that was another site or nothing. */
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
