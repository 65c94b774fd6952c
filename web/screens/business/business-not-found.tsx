import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useGoBack } from '#web/lib/use-go-back.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

export function BusinessNotFound() {
  const goBack = useGoBack('/discover')
  return (
    <EmptyState level={1} title="Business Not Found" description="It may have been removed, or the link may have a typo.">
      <Button onClick={goBack}>
        <ArrowLeft aria-hidden="true" />
        Go Back
      </Button>
      <Button asChild variant="secondary">
        <Link to="/discover">Discover</Link>
      </Button>
    </EmptyState>
  )
}
