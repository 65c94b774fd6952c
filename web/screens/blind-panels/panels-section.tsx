import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Minus, Plus, Printer, Trash2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { maxCardsPerJar } from '#contracts/blind-panels.rules.ts'
import type { Panel } from '#contracts/blind-panels.ts'
import { closePanel, deletePanel, printCards, setCards } from '#contracts/calls/blind-panels.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { formatLocalDay } from '#web/entities/hunts/hunt-words.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { fileNameOf, saveFile } from '#web/lib/save-file.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { answeredOf, cardsOf, unprintedOf } from './panel-words.ts'
import { panelsOptions, refreshPanels, showPanel } from './panels.api.ts'

const JarListDialog = lazyDialog(async () => (await import('./jar-list-dialog.tsx')).JarListDialog)
const NewPanelDialog = lazyDialog(async () => (await import('./new-panel-dialog.tsx')).NewPanelDialog)

export function PanelsSection({ hunt }: { hunt: Hunt }) {
  const { data: panels, error, refetch, isFetching } = useQuery(panelsOptions(hunt.id))
  const [isAdding, setAdding] = useState(false)
  const canWrite = hunt.abilities.write
  if (!panels) {
    if (error) {
      return <LoadError title="The blind panels couldn’t be loaded" query={{ error, refetch, isFetching }} />
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
          description="Testers scan a card and score a coded jar. They don’t need an account."
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

const Results = lazy(async () => ({ default: (await import('./panel-results.tsx')).PanelResultsView }))

function PanelCard({ panel, canWrite }: { panel: Panel; canWrite: boolean }) {
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
                  `Opened ${formatLocalDay(panel.createdAt)}`,
                  ...(panel.closedAt ? [`closed ${formatLocalDay(panel.closedAt)}`] : []),
                  `${counted(answered, 'card')} of ${formatNumber(cards)} answered`,
                  ...(panel.filledBy ? [`jars filled by ${fillerOf(panel.filledBy)}`] : []),
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
            {counted(answered, 'card')} of {formatNumber(cards)} answered. Once anyone has seen the scores, tasting is no longer blind. You
            can’t reopen a closed panel, and the remaining cards stop working.
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
            {answered > 0 ? `${counted(answered, 'answer')} from testers will be lost, including in rankings that count them. ` : ''}Its
            cards will stop working.
          </p>
        </ConfirmDialog>
      </section>
    </Card>
  )
}

const fillerOf = ({ person, isYou }: NonNullable<Panel['filledBy']>): string => (isYou ? 'you' : (person?.name ?? 'someone else'))

type Jar = Panel['jars'][number]
type OpenJarsProps = { panel: Panel; canWrite: boolean; onClose: () => void }

function OpenJars({ panel, canWrite, onClose }: OpenJarsProps) {
  const client = useQueryClient()
  const [paper, setPaper] = useState<'Letter' | 'A4'>('Letter')
  const [isBusy, setBusy] = useState(false)
  const [asksForAll, setAsksForAll] = useState(false)
  const [isFilling, setFilling] = useState(false)
  const printNew = useRef<HTMLButtonElement>(null)
  const printAgain = useRef<HTMLButtonElement>(null)
  const unprinted = unprintedOf(panel)
  const unanswered = cardsOf(panel) - answeredOf(panel)

  // The button is disabled once everything is printed. Browsers blur disabled buttons, so focus the next one.
  useEffect(() => {
    const [focused, button] = [document.activeElement, printNew.current]
    if (unprinted === 0 && button && (focused === button || focused === document.body)) printAgain.current?.focus()
  }, [unprinted])

  async function act(write: () => Promise<Panel>) {
    setBusy(true)
    try {
      showPanel(client, await write())
    } catch (error) {
      toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
    }
    setBusy(false)
  }
  const print = (cards: 'new' | 'unanswered') =>
    act(async () => {
      const answer = await call(printCards, { params: { id: panel.id }, body: { cards, paper } })
      const bytes = Uint8Array.from(atob(answer.pdf), (letter) => letter.charCodeAt(0))
      saveFile(`${fileNameOf(panel.name, 'cards')}.pdf`, new Blob([bytes], { type: 'application/pdf' }))
      setAsksForAll(false)
      toast({
        title: `${counted(answer.cards.length, 'card')} saved`,
        description: 'Keep the file until you’ve printed it. The codes aren’t stored anywhere else.',
      })
      return answer.panel
    })
  // While busy, the buttons aren't `disabled`, which would make them lose focus.
  const setCount = async (jar: Jar, cards: number) => {
    if (isBusy) return
    await act(() => call(setCards, { params: { id: panel.id }, body: { jars: [{ jarId: jar.id, cards }] } }))
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ul aria-label="Jars" className="divide-y divide-line border-line border-y">
        {panel.jars.map((jar) => (
          <li key={jar.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <span className="min-w-20 font-mono font-semibold text-xl">{jar.jarName}</span>
            <span className="min-w-28 flex-1 text-sm wrap-anywhere">
              {jar.plant ? [jar.plant.name, jar.plant.label].filter(Boolean).join(' ') : 'Hidden until the panel closes'}
              {jar.cureDays !== null && <span className="text-muted"> · cured {counted(jar.cureDays, 'day')}</span>}
            </span>
            <span className="text-muted text-sm tabular-nums">
              {jar.answered} of {counted(jar.cards, 'card')} answered
            </span>
            {canWrite && (
              <span className="-mr-2 flex">
                <IconButton
                  label={`Remove a card from ${jar.jarName}`}
                  disabled={jar.cards <= jar.answered}
                  aria-disabled={isBusy || undefined}
                  onClick={() => void setCount(jar, jar.cards - 1)}
                  className="min-h-12 min-w-12"
                >
                  <Minus aria-hidden="true" />
                </IconButton>
                <IconButton
                  label={`Add a card to ${jar.jarName}`}
                  disabled={jar.cards >= maxCardsPerJar}
                  aria-disabled={isBusy || undefined}
                  onClick={() => void setCount(jar, jar.cards + 1)}
                  className="min-h-12 min-w-12"
                >
                  <Plus aria-hidden="true" />
                </IconButton>
              </span>
            )}
          </li>
        ))}
      </ul>
      <p className="text-muted text-sm">
        {!canWrite || panel.hidesJars
          ? 'You’ll see the scores and which plant is in which jar once the panel is closed.'
          : 'Fill the jars from this list and keep it from testers. Scores are hidden from everyone, including you, until you close the panel.'}
      </p>
      {canWrite && panel.hidesJars && (
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 flex-1 basis-56 text-sm">
            {panel.filledBy
              ? `${panel.filledBy.isYou ? 'You have' : `${fillerOf(panel.filledBy)} has`} the jar list. No one else can open it.`
              : 'The jars are empty. Have someone who won’t taste open the jar list, on their phone or yours, and fill them.'}
          </p>
          {(panel.filledBy === null || panel.filledBy.isYou) && (
            <Button variant="secondary" size="lg" onClick={() => setFilling(true)}>
              Jar list
            </Button>
          )}
        </div>
      )}
      {isFilling && <JarListDialog panel={panel} onOpenChange={setFilling} />}
      {canWrite && (
        <div className="flex flex-wrap items-end gap-3">
          <Field label="Paper" className="w-32">
            <Select value={paper} onChange={({ target }) => setPaper(target.value as 'Letter' | 'A4')} className="[&_select]:min-h-12">
              <option>Letter</option>
              <option>A4</option>
            </Select>
          </Field>
          <Button ref={printNew} size="lg" disabled={unprinted === 0} pending={isBusy} onClick={() => void print('new')}>
            <Printer aria-hidden="true" />
            {unprinted === 0 ? 'All cards printed' : `Print ${counted(unprinted, 'new card')}`}
          </Button>
          {unanswered > unprinted && (
            <Button ref={printAgain} variant="secondary" size="lg" onClick={() => setAsksForAll(true)}>
              Print again
            </Button>
          )}
          <Button variant="secondary" size="lg" onClick={onClose} className="sm:ml-auto">
            Close panel
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={asksForAll}
        onOpenChange={setAsksForAll}
        title={`Print ${counted(unanswered, 'card')} again?`}
        confirmText="Replace old cards and print"
        pending={isBusy}
        pendingText="Printing..."
        onConfirm={() => void print('unanswered')}
      >
        <p>Codes exist only on paper, so every unanswered card gets a new one. Cards you printed before will stop working.</p>
      </ConfirmDialog>
    </div>
  )
}
