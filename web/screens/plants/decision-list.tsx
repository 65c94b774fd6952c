import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Decision } from '#contracts/decisions.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { dayWords } from '#web/entities/hunts/hunt-words.ts'
import { standingWords } from '#web/entities/plants/plant-words.ts'
import { undoAll } from '#web/entities/plants/plant-writes.ts'
import { decisionsOptions } from '#web/entities/plants/plants.api.ts'
import { StandingBadge } from '#web/entities/plants/standing-badge.tsx'
import { counted } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'

export function DecisionList({ hunt, genotypeId }: { hunt: Hunt; genotypeId: string }) {
  const list = useInfiniteQuery(decisionsOptions(hunt.id, genotypeId))
  return (
    <section aria-labelledby="decisions" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="decisions" className="scroll-mt-20 text-xl">
        Decisions
      </h2>
      <PagedList
        list={list}
        loadingLabel="Loading decisions..."
        skeleton={<SkeletonRow />}
        failure="The decisions could not be loaded"
        cards="whole"
        empty={<p className="text-muted text-sm">No decisions yet.</p>}
      >
        {(decisions) => (
          <Card asChild>
            <ul className="divide-y divide-line">
              {decisions.map((decision) => (
                <One key={decision.id} decision={decision} canUndo={hunt.abilities.write} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </section>
  )
}

function One({ decision, canUndo }: { decision: Decision; canUndo: boolean }) {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const { kind, reason, known, decidedBy, decidedOn, undoneAt, undoneBy, endedPlantIds } = decision
  const isUndone = undoneAt !== null
  return (
    <li className="grid gap-1.5 px-4 py-3">
      <div className="-mr-2 flex min-h-12 items-center gap-2">
        {isUndone ? <Badge variant="outline">{standingWords[kind]}</Badge> : <StandingBadge standing={kind} />}
        <span className="min-w-0 text-muted text-sm">
          {dayWords(decidedOn)}
          {decidedBy && ` · ${decidedBy.name}`}
        </span>
        {isUndone && <Badge variant="outline">Undone</Badge>}
        {canUndo && !isUndone && (
          <Button
            variant="quiet"
            className="ml-auto min-h-12 px-3"
            pending={isBusy}
            onClick={async () => {
              setBusy(true)
              await undoAll(client, [decision])
              setBusy(false)
            }}
          >
            <Undo2 aria-hidden="true" />
            Undo
          </Button>
        )}
      </div>
      {reason !== '' && <p className="whitespace-pre-line wrap-anywhere">{reason}</p>}
      <p className="text-muted text-sm">
        Known at the time:{' '}
        {[
          `${known.livingCopies} of ${counted(known.plants, 'copy', 'copies')} alive`,
          counted(known.logs, 'log'),
          counted(known.observations, 'score'),
          ...(known.rank === null ? [] : [`rank ${known.rank} of ${known.rankedOf}`]),
          ...(known.chanceBest === null ? [] : [`${Math.round(known.chanceBest * 100)}% chance of being the best`]),
        ].join(', ')}
        {endedPlantIds.length > 0 && `. ${counted(endedPlantIds.length, 'plant')} ended.`}
      </p>
      {isUndone && (
        <p className="text-muted text-sm">
          Undone {dayWords(undoneAt.slice(0, 10))}
          {undoneBy && ` by ${undoneBy.name}`}
        </p>
      )}
    </li>
  )
}
