import { Link, useCanGoBack, useRouter } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Vignette } from '../../ui/vignette.tsx'

export function BusinessNotFound() {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-4 py-20 text-center">
      <Vignette className="mb-3" />
      <h1 className="text-2xl">Business Not Found</h1>
      <p className="text-muted">It may have left the directory, or the address has a mistake in it.</p>
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        {/* Whoever came by a link from outside has nothing on this site to go back to. */}
        <Button onClick={() => (canGoBack ? router.history.back() : void router.navigate({ to: '/discover' }))}>
          <ArrowLeft aria-hidden="true" />
          Go Back
        </Button>
        <Button asChild variant="secondary">
          <Link to="/discover">Discover</Link>
        </Button>
      </div>
    </div>
  )
}
