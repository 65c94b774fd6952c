import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { closePanel, deletePanel, type Panel } from '../../../contracts/blind-panels.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { counted } from '../../lib/counted.ts'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { dayWords } from '../hunts/hunt-words.ts'
import { OpenJars } from './open-jars.tsx'
import { answeredOf, cardsOf } from './panel-words.ts'
import { refreshPanels, showPanel } from './panels.api.ts'

const Results = lazy(async () => ({ default: (await import('./panel-results.tsx')).PanelResultsView }))

/** One panel: open, with its jars and cards, or closed, with what was scored. */
export function PanelCard({ panel, canWrite }: { panel: Panel; canWrite: boolean }) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'close' | 'delete' | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [answered, cards] = [answeredOf(panel), cardsOf(panel)]

  async function act(write: () => Promise<string>) {
    setBusy(true)
    try {
      toast({ title: await write() })
    } catch (error) {
      toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
    }
    setBusy(false)
    setAsked(null)
    await refreshPanels(client)
  }
  const close = () =>
    act(async () => {
      showPanel(client, await call(closePanel, { params: { id: panel.id } }))
      return `${panel.name} closed`
    })
  const remove = () =>
    act(async () => {
      await call(deletePanel, { params: { id: panel.id } })
      return `${panel.name} deleted`
    })

  return (
    <Card asChild>
      <section aria-labelledby={`panel-${panel.id}`}>
        <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <div className="flex items-start justify-between gap-3">
            <div className="grid min-w-0 gap-1">
              <div className="flex min-w-0 flex-wrap items-center gap-2">
                <h3 id={`panel-${panel.id}`} className="text-xl wrap-anywhere">
                  {panel.name}
                </h3>
                <Badge variant={panel.isOpen ? 'leaf' : 'neutral'}>{panel.isOpen ? 'Open' : 'Closed'}</Badge>
              </div>
              <p className="text-muted text-sm">
                {[
                  `Opened ${dayWords(panel.createdAt)}`,
                  ...(panel.closedAt ? [`closed ${dayWords(panel.closedAt)}`] : []),
                  `${counted(answered, 'card')} of ${formatNumber(cards)} answered`,
                ].join(' · ')}
              </p>
              <p className="text-sm wrap-anywhere">{panel.traits.map(({ name }) => name).join(', ')}</p>
            </div>
            {canWrite && (
              <IconButton label={`Delete ${panel.name}`} onClick={() => setAsked('delete')} className="-mt-1.5 min-h-12 min-w-12">
                <Trash2 aria-hidden="true" />
              </IconButton>
            )}
          </div>
          {panel.instructions !== '' && (
            <p className="rounded-input border border-line bg-sunk px-3 py-2 text-sm whitespace-pre-line wrap-anywhere">
              {panel.instructions}
            </p>
          )}
          {panel.isOpen ? (
            <OpenJars panel={panel} canWrite={canWrite} onClose={() => setAsked('close')} />
          ) : (
            <Suspense fallback={<Skeleton className="h-48 rounded-card" />}>
              <Results panel={panel} />
            </Suspense>
          )}
        </CardBody>
        <ConfirmDialog
          open={asked === 'close'}
          onOpenChange={(isOpen) => !isOpen && setAsked(null)}
          title={`Close ${panel.name}?`}
          confirmText="Close and show scores"
          pending={isBusy}
          pendingText="Closing..."
          onConfirm={() => void close()}
        >
          <p>
            {counted(answered, 'card')} of {formatNumber(cards)} answered. Once anybody has seen the scores, nobody tastes blind any more: a
            closed panel can never be opened again, and cards that are left take no answer.
          </p>
        </ConfirmDialog>
        <ConfirmDialog
          open={asked === 'delete'}
          onOpenChange={(isOpen) => !isOpen && setAsked(null)}
          title={`Delete ${panel.name}?`}
          confirmText="Delete panel"
          pending={isBusy}
          pendingText="Deleting..."
          onConfirm={() => void remove()}
        >
          <p>
            {answered > 0 ? `${counted(answered, 'answer')} of testers will be lost, also where a ranking counts them. ` : ''}Its cards lead
            nowhere from then on.
          </p>
        </ConfirmDialog>
      </section>
    </Card>
  )
}
