import { useQueryClient } from '@tanstack/react-query'
import { Minus, Plus, Printer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { maxCardsPerJar, type Panel, printCards, setCards } from '../../../contracts/blind-panels.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { counted } from '../../lib/counted.ts'
import { fileNameOf, saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast-store.ts'
import { answeredOf, cardsOf, unprintedOf } from './panel-words.ts'
import { showPanel } from './panels.api.ts'

type Jar = Panel['jars'][number]
type OpenJarsProps = { panel: Panel; canWrite: boolean; onClose: () => void }

/** An open panel: which plant fills which jar, and how many cards came back. No score. */
export function OpenJars({ panel, canWrite, onClose }: OpenJarsProps) {
  const client = useQueryClient()
  const [paper, setPaper] = useState<'Letter' | 'A4'>('Letter')
  const [isBusy, setBusy] = useState(false)
  const [asksForAll, setAsksForAll] = useState(false)
  const printNew = useRef<HTMLButtonElement>(null)
  const printAgain = useRef<HTMLButtonElement>(null)
  const unprinted = unprintedOf(panel)
  const unanswered = cardsOf(panel) - answeredOf(panel)

  // With nothing left to print the button is disabled, and a browser takes the focus away from it sooner or later.
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
        description: 'Keep the file until it is printed: its codes are in no other place.',
      })
      return answer.panel
    })
  const setCount = (jar: Jar, cards: number) =>
    act(() => call(setCards, { params: { id: panel.id }, body: { jars: [{ jarId: jar.id, cards }] } }))

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ul aria-label="Jars" className="divide-y divide-line border-line border-y">
        {panel.jars.map((jar) => (
          <li key={jar.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <span className="min-w-20 font-mono font-semibold text-xl">{jar.jarName}</span>
            <span className="min-w-28 flex-1 text-sm wrap-anywhere">
              {jar.plant ? [jar.plant.name, jar.plant.label].filter(Boolean).join(' ') : 'Not told while it is open'}
              {jar.cureDays !== null && <span className="text-muted"> · {counted(jar.cureDays, 'day')} of cure</span>}
            </span>
            <span className="text-muted text-sm tabular-nums">
              {jar.answered} of {counted(jar.cards, 'card')} answered
            </span>
            {canWrite && (
              <span className="-mr-2 flex">
                <IconButton
                  label={`One card less for ${jar.jarName}`}
                  disabled={isBusy || jar.cards <= jar.answered}
                  onClick={() => void setCount(jar, jar.cards - 1)}
                  className="min-h-12 min-w-12"
                >
                  <Minus aria-hidden="true" />
                </IconButton>
                <IconButton
                  label={`One more card for ${jar.jarName}`}
                  disabled={isBusy || jar.cards >= maxCardsPerJar}
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
        {canWrite
          ? 'Fill the jars by this list and keep it from testers. Scores stay hidden from everybody, you too, until you close the panel.'
          : 'Scores, and which plant is in which jar, are shown once the panel is closed.'}
      </p>
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
        confirmText="End old cards and print"
        pending={isBusy}
        pendingText="Printing..."
        onConfirm={() => void print('unanswered')}
      >
        <p>
          Codes are kept nowhere but on paper, so every card that is not answered gets a new one. The cards that you printed before lead
          nowhere from then on.
        </p>
      </ConfirmDialog>
    </div>
  )
}
