import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useGoBack } from '#web/lib/use-go-back.ts'
import { Button } from '#web/ui/button.tsx'
import { Vignette } from '#web/ui/empty-state.tsx'

export function BusinessNotFound() {
  const goBack = useGoBack('/discover')
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-4 py-20 text-center">
      <Vignette className="mb-3" />
      <h1 className="text-2xl">Business Not Found</h1>
      <p className="text-muted">It may have been removed, or the link may have a typo.</p>
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        <Button onClick={goBack}>
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
