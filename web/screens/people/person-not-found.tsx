import { Link } from '@tanstack/react-router'
import { Button } from '#web/ui/button.tsx'
import { Vignette } from '#web/ui/empty-state.tsx'

/** Covers both missing people and those hidden from this viewer, which must look the same. */
export function PersonNotFound() {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-4 py-20 text-center">
      <Vignette className="mb-3" />
      <h1 className="text-2xl">Profile Not Found</h1>
      <p className="text-muted">This person doesn’t exist, or you can’t see them.</p>
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        <Button asChild>
          <Link to="/">Go to your feed</Link>
        </Button>
      </div>
    </div>
  )
}
