import { CircleAlert, Clock, Image, Split } from 'lucide-react'
import { type FormEvent, type MouseEvent, type ReactNode, useRef, useState } from 'react'
import { dropDraft, saveDraft, withDraft } from '#web/forms/form-draft.ts'
import { counted, formatList } from '#web/lib/format.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { showErrors, useListFocus, useRestoredFocus } from '#web/ui/focus.ts'
import { Input, Textarea } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { refusedItems } from './outbox.ts'
import {
  askedCopies,
  entryActions,
  inputKind,
  isEditable,
  type PendingWrite,
  problemsOf,
  type RefusedHold,
  typedNames,
  typedValue,
  versionsOf,
  words,
} from './use-outbox.ts'

export function PendingBadge({ status }: Pick<PendingWrite, 'status'>) {
  if (status === 'refused' || status === 'conflict') {
    return (
      <Badge variant="clay">
        {status === 'conflict' ? <Split aria-hidden="true" /> : <CircleAlert aria-hidden="true" />}
        {status === 'conflict' ? 'Changed elsewhere' : 'Not accepted'}
      </Badge>
    )
  }
  return (
    <Badge variant="outline">
      <Clock aria-hidden="true" />
      {{ waiting: 'Waiting to sync', sending: 'Sending', arrived: 'Sent', gone: 'No longer waiting' }[status]}
    </Badge>
  )
}

/** Keeps an entry whose form is open, even if it was sent or discarded in the meantime, so that what was typed isn't lost. */
export function PendingEntries({ writes, empty }: { writes: readonly PendingWrite[]; empty: ReactNode }) {
  const [edited, setEdited] = useState<readonly PendingWrite[]>([])
  const list = useListFocus<HTMLUListElement>()
  const gone = edited
    .filter(({ id }) => writes.every((write) => write.id !== id))
    .map((write): PendingWrite => ({ ...write, status: 'gone', hold: null }))
  const shown = [...gone, ...writes]
  if (shown.length === 0) return empty
  return (
    <ul {...list} className="grid gap-3">
      {shown.map((write) => (
        <li key={write.id}>
          <PendingEntry
            write={write}
            onCorrecting={(isCorrecting) =>
              setEdited((all) => [...all.filter(({ id }) => id !== write.id), ...(isCorrecting ? [write] : [])])
            }
          />
        </li>
      ))}
    </ul>
  )
}

type PendingEntryProps = { write: PendingWrite; onCorrecting?: (isCorrecting: boolean) => void }

export function PendingEntry({ write, onCorrecting }: PendingEntryProps) {
  const { title, status, createdAt, photos, hold } = write
  // These are here so that the form and the question stay open when the status changes, as it does with each attempt to send the entry.
  const [isCorrecting, setCorrecting] = useState(false)
  const asking = useState(false)
  const correct = (isOpen: boolean) => {
    setCorrecting(isOpen)
    onCorrecting?.(isOpen)
  }
  const onEdit = () => correct(true)
  const entry = useRestoredFocus<HTMLElement>(`${status} ${isCorrecting}`)
  return (
    <article {...entry} className="grid gap-2 rounded-card border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-medium font-text text-base">{title}</h3>
        <PendingBadge status={status} />
        <Ago at={new Date(createdAt).toISOString()} className="ml-auto text-muted text-sm" />
      </div>
      {photos.length > 0 && (
        <p className="flex items-center gap-1.5 text-muted text-sm [&_svg]:size-4">
          <Image aria-hidden="true" />
          {counted(photos.length, 'photo')}
        </p>
      )}
      {isCorrecting && <CorrectForm write={write} onDone={() => correct(false)} />}
      {!isCorrecting && status === 'waiting' && <Waiting write={write} onEdit={onEdit} asking={asking} />}
      {!isCorrecting && hold?.kind === 'refused' && !hold.lastCopies && <Refused write={write} hold={hold} onEdit={onEdit} />}
      {!isCorrecting && hold?.kind === 'refused' && hold.lastCopies && <RefusedLastCopies write={write} hold={hold} />}
      {!isCorrecting && hold?.kind === 'conflict' && <Conflict write={write} onEdit={onEdit} />}
    </article>
  )
}

const discardQuestion = ({ mayHaveArrived }: PendingWrite): string =>
  mayHaveArrived
    ? 'This entry may have been saved before the connection was lost. Discarding it here doesn’t undo that. Discard it?'
    : 'This entry is stored only on this device. Discard it?'

/** Shows a message if the entry was sent, or discarded in another tab, before the person decided about it. */
async function decide(decision: Promise<boolean>): Promise<void> {
  if (await decision) return
  toast({
    title: 'This entry is no longer waiting',
    description: 'It was sent or discarded in the meantime. If it’s in the list, edit or delete it there.',
    variant: 'destructive',
  })
}

type DecisionButtonProps = Omit<ButtonProps, 'onClick'> & { act: (button: HTMLButtonElement) => Promise<boolean> }

/** A decision waits while an entry is being sent. */
function DecisionButton({ act, ...button }: DecisionButtonProps) {
  const [isPending, setPending] = useState(false)
  const onClick = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    setPending(true)
    void decide(act(currentTarget)).finally(() => setPending(false))
  }
  return <Button size="lg" pending={isPending} {...button} onClick={onClick} />
}

type ActionProps = { write: PendingWrite; onEdit: () => void }

type Asking = [isAsking: boolean, setAsking: (isAsking: boolean) => void]

function Waiting({ write, onEdit, asking }: ActionProps & { asking: Asking }) {
  return (
    <Actions id={write.id} giveUp="Discard" question={discardQuestion(write)} asking={asking}>
      {isEditable(write) && (
        <Button size="lg" variant="secondary" onClick={onEdit}>
          Edit
        </Button>
      )}
    </Actions>
  )
}

function RefusedLastCopies({ write, hold }: { write: PendingWrite; hold: RefusedHold }) {
  const [typed, setTyped] = useState('')
  const [isAsked, setAsked] = useState(false)
  const { missing, without } = askedCopies(hold, write.body)
  const names = typedNames(
    typed,
    missing.map((name) => ({ name, number: Number(name.slice(1)) })),
  )
  const [only] = missing.length === 1 ? missing : []
  const send = (corrections: Record<string, unknown>) => entryActions.keepMine(write.id, corrections)
  const confirm = async (button: HTMLButtonElement) => {
    if (names.length === missing.length) return send({ confirmLastCopies: names })
    showErrors(button.closest('article'), () => setAsked(true))
    return true
  }
  return (
    <>
      <p className="text-clay">
        {without
          ? hold.lastCopies?.length === 1
            ? `${hold.lastCopies[0]} has another living copy now, so you don’t need to confirm it anymore.`
            : `${formatList(hold.lastCopies ?? [])} have other living copies now, so you don’t need to confirm them anymore.`
          : hold.message}
      </p>
      {missing.length > 0 && (
        <Field
          label={only ? `Type ${only} to confirm` : 'Type their numbers to confirm'}
          hint={only ? undefined : `For example: 3, 5, 12-15. Needed: ${missing.join(', ')}`}
          error={isAsked && names.length < missing.length ? 'Type the numbers first. You can’t bring back a last copy.' : undefined}
        >
          <Input value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" className="min-h-12" />
        </Field>
      )}
      <Actions id={write.id} giveUp="Discard" question={discardQuestion(write)}>
        {without ? (
          <DecisionButton act={() => send({ confirmLastCopies: without })}>Send</DecisionButton>
        ) : (
          <DecisionButton variant="danger" act={confirm}>
            Confirm and send
          </DecisionButton>
        )}
        {write.body.endsPlants === true && (
          <DecisionButton variant="secondary" act={() => send({ endsPlants: false, confirmLastCopies: [] })}>
            Send without ending the plants
          </DecisionButton>
        )}
        {missing.length > 0 && (
          <DecisionButton variant="secondary" act={() => send({})}>
            Try again
          </DecisionButton>
        )}
      </Actions>
    </>
  )
}

function Refused({ write, hold, onEdit }: ActionProps & { hold: RefusedHold }) {
  const refused = refusedItems(write)
  const others = (write.items?.names.length ?? 0) - refused.length
  const problems = problemsOf(write, hold)
  const isPhotoTheReason = write.photos.length > 0 && Object.keys(hold.fields).every((name) => name === 'mediaIds')
  return (
    <>
      <p className="text-clay">{hold.message}</p>
      {problems.length > 0 && (
        <ul className="list-disc pl-5 text-sm">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <Actions id={write.id} giveUp="Discard" question={discardQuestion(write)}>
        {isEditable(write) && (
          <Button size="lg" onClick={onEdit}>
            Edit
          </Button>
        )}
        {refused.length > 0 && others > 0 && (
          <DecisionButton act={() => entryActions.sendOthers(write.id)}>
            {others === 1 ? 'Send the other' : 'Send the others'}
          </DecisionButton>
        )}
        <DecisionButton variant="secondary" act={() => entryActions.keepMine(write.id)}>
          Try again
        </DecisionButton>
        {isPhotoTheReason && (
          <DecisionButton variant="secondary" act={() => entryActions.sendWithoutPhotos(write.id)}>
            Send without photos
          </DecisionButton>
        )}
      </Actions>
    </>
  )
}

function Conflict({ write, onEdit }: ActionProps) {
  return (
    <>
      <p>This was changed elsewhere after you opened it. Which version do you want to keep?</p>
      <VersionTable write={write} />
      <Actions id={write.id} giveUp="Keep theirs" question="Your version is stored only on this device. Keep theirs and discard yours?">
        <DecisionButton act={() => entryActions.keepMine(write.id)}>Keep mine</DecisionButton>
        {isEditable(write) && (
          <Button size="lg" variant="secondary" onClick={onEdit}>
            Edit
          </Button>
        )}
      </Actions>
    </>
  )
}

/** Shows the labeled fields that differ, or all of them if only unlabeled ones do. */
function VersionTable({ write }: { write: PendingWrite }) {
  const all = versionsOf(write)
  const different = all.filter(({ isDifferent }) => isDifferent)
  const rows = different.length > 0 ? different : all
  return (
    <table className="w-full table-fixed text-left text-sm">
      <caption className="sr-only">Both versions of {write.title}</caption>
      <thead>
        <tr className="border-line border-b text-muted">
          <th scope="col" className="py-1.5 pr-2">
            Field
          </th>
          <th scope="col" className="px-2 py-1.5">
            Yours
          </th>
          <th scope="col" className="py-1.5 pl-2">
            Theirs
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, label, mine, theirs }) => (
          <tr key={name} className="border-line border-b align-top last:border-0">
            <th scope="row" className="py-2 pr-2">
              {label}
            </th>
            <td className="px-2 py-2">{words(mine)}</td>
            <td className="py-2 pl-2">{words(theirs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Discarding the local version can't be undone, so people confirm it in place. */
type ActionsProps = { id: string; giveUp: string; question: string; asking?: Asking; children: ReactNode }

function Actions({ id, giveUp, question, asking, children }: ActionsProps) {
  const own = useState(false)
  const [isAsking, setAsking] = asking ?? own
  // A question that is shown again must not take focus from elsewhere.
  const [wasAsking] = useState(isAsking)
  const discard = useRef<HTMLButtonElement>(null)
  const part = useRestoredFocus<HTMLDivElement>(String(isAsking), discard)
  if (!isAsking) {
    return (
      <div {...part} className="mt-1 flex flex-wrap gap-2">
        {children}
        <Button ref={discard} size="lg" variant="quiet" onClick={() => setAsking(true)}>
          {giveUp}
        </Button>
      </div>
    )
  }
  return (
    <div {...part} className="mt-1 grid gap-2">
      <p role="alert" className="font-medium">
        {question}
      </p>
      <div className="flex flex-wrap gap-2">
        <DecisionButton variant="danger" act={async () => (await entryActions.discard(id)) !== 'gone'}>
          {giveUp}
        </DecisionButton>
        <Button size="lg" variant="secondary" autoFocus={!wasAsking} onClick={() => setAsking(false)}>
          Not now
        </Button>
      </div>
    </div>
  )
}

function CorrectForm({ write, onDone }: { write: PendingWrite; onDone: () => void }) {
  const fields = versionsOf(write).flatMap((field) => {
    const kind = field.isEditable ? inputKind(field) : null
    return kind ? [{ ...field, kind }] : []
  })
  const draft = `entry.${write.id}`
  const [typed, setTyped] = useState(() => withDraft(draft, Object.fromEntries(fields.map(({ name, mine }) => [name, String(mine ?? '')]))))
  const leave = () => {
    dropDraft(draft)
    onDone()
  }
  const [isSaving, setSaving] = useState(false)
  const [isTooLate, setTooLate] = useState(false)
  const problems = write.hold?.kind === 'refused' ? write.hold.fields : {}

  async function send(event: FormEvent) {
    event.preventDefault()
    if (isSaving) return
    const corrections = Object.fromEntries(fields.map(({ name, kind }) => [name, typedValue(kind, typed[name] ?? '')]))
    setSaving(true)
    const isSaved = await entryActions.keepMine(write.id, corrections).finally(() => setSaving(false))
    if (isSaved) leave()
    else setTooLate(true)
  }

  return (
    <form onSubmit={(event) => void send(event)} className="grid gap-3" noValidate>
      {fields.map(({ name, label, kind, theirs, isDifferent }, index) => {
        const control = {
          autoFocus: index === 0,
          value: typed[name] ?? '',
          onChange: ({ target }: { target: { value: string } }) => {
            const next = { ...typed, [name]: target.value }
            setTyped(next)
            saveDraft(draft, next)
          },
        }
        return (
          <Field key={name} label={label} error={problems[name]} hint={isDifferent ? `Theirs: ${words(theirs)}` : undefined}>
            {kind === 'number' ? <Input inputMode="decimal" className="min-h-12" {...control} /> : <Textarea rows={2} {...control} />}
          </Field>
        )
      })}
      {isTooLate && (
        <p role="alert" className="font-medium text-clay">
          This entry was sent or discarded in the meantime, so your changes weren’t saved. If it’s in the list, make them there.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="lg" type="submit" pending={isSaving} pendingText="Saving...">
          Save and send
        </Button>
        <Button size="lg" variant="secondary" onClick={leave}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
