import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Hunt } from '../../../contracts/hunts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { PanelCard } from './panel-card.tsx'
import { panelsOptions } from './panels.api.ts'

const NewPanelDialog = lazyDialog(async () => (await import('./new-panel-dialog.tsx')).NewPanelDialog)

/** Jars that people score without knowing what is in them. */
export function PanelsSection({ hunt }: { hunt: Hunt }) {
  const { data: panels, error, refetch, isFetching } = useQuery(panelsOptions(hunt.id))
  const [isAdding, setAdding] = useState(false)
  const canWrite = hunt.abilities.write
  if (!panels) {
    if (error) {
      return (
        <ErrorState
          title="The blind panels could not be loaded"
          description={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      )
    }
    return (
      <SkeletonGroup label="Loading blind panels..." className="grid gap-4">
        <Skeleton className="h-12 w-40 justify-self-end" />
        <Skeleton className="h-72 rounded-card" />
      </SkeletonGroup>
    )
  }
  const add = (
    <Button size="lg" variant={panels.length > 0 ? 'secondary' : 'primary'} onClick={() => setAdding(true)} className="max-sm:w-full">
      <Plus aria-hidden="true" />
      New panel
    </Button>
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <h2 className="sr-only">Blind panels</h2>
      {panels.length === 0 ? (
        <EmptyState
          level={3}
          title="No blind panels yet"
          description="A name on a jar changes how it smells. Testers scan a card, score a coded jar without an account, and nobody sees a score before you close the panel."
        >
          {canWrite && add}
        </EmptyState>
      ) : (
        canWrite && <div className="grid justify-items-end">{add}</div>
      )}
      {panels.map((panel) => (
        <PanelCard key={panel.id} panel={panel} canWrite={canWrite} />
      ))}
      {isAdding && <NewPanelDialog huntId={hunt.id} onOpenChange={setAdding} />}
    </div>
  )
}
