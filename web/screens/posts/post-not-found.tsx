import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Vignette } from '#web/ui/empty-state.tsx'

export function PostNotFound({ onBack }: { onBack: () => void }) {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-4 py-20 text-center">
      <Vignette className="mb-3" />
      <h1 className="text-2xl">Post Not Found</h1>
      <p className="text-muted">It may have been deleted, or you may not have access.</p>
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        <Button onClick={onBack}>
          <ArrowLeft aria-hidden="true" />
          Go Back
        </Button>
        <Button asChild variant="secondary">
          <Link to="/">Home</Link>
        </Button>
      </div>
    </div>
  )
}
