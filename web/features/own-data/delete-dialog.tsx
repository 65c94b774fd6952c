import { useRef, useState } from 'react'
import { type AccountDeletion, askAccountDeletion, deletionWords, graceDays } from '../../../contracts/own-data.ts'
import { call } from '../../lib/call.ts'
import { listWords } from '../../lib/list-words.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog, DialogContent } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { ProvenDialog } from '../sign-in/proven-dialog.tsx'
import { dayWords } from './own-data-words.ts'

/** Asks twice, in words and for the password; then says until when one can come back. */
export function DeleteDialog({ state, onClose }: { state: AccountDeletion; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [givesUp, setGivesUp] = useState(false)
  const [wrong, setWrong] = useState<{ typed?: string; givesUp?: string }>({})
  const [dueAt, setDueAt] = useState<string | null>(null)
  const givesUpBox = useRef<HTMLInputElement>(null)
  const typedField = useRef<HTMLInputElement>(null)
  if (dueAt !== null) return <Asked dueAt={dueAt} />
  const { businesses, subscriptions } = state

  function check(): boolean {
    const found = {
      ...(typed.trim().toLowerCase() === deletionWords ? {} : { typed: `Type “${deletionWords}”` }),
      ...(businesses.length === 0 || givesUp ? {} : { givesUp: 'Say that you give this up, or hand it over first' }),
    }
    setWrong(found)
    const first = found.givesUp ? givesUpBox : found.typed ? typedField : null
    first?.current?.focus()
    return Object.keys(found).length === 0
  }

  return (
    <ProvenDialog
      title="Delete your account?"
      confirmText="Delete account"
      pendingText="Asking..."
      variant="danger"
      check={check}
      onConfirm={async (password) => {
        const body = { password, confirmation: typed, givesUpBusinesses: givesUp }
        const { dueAt: due } = await call(askAccountDeletion, { body })
        setDueAt(due)
        // Nobody is signed in any more: the dialog stays open with what it has to say.
        await new Promise(() => {})
      }}
      onClose={onClose}
    >
      <p className="text-muted">
        You are signed out everywhere, and nobody sees your profile. In {graceDays} days all of it is deleted, and cannot be brought back.
      </p>
      {subscriptions.length > 0 && (
        <div className="rounded-input bg-sunk p-4 text-sm">
          <p className="font-medium">Canceled at once</p>
          <ul className="mt-1 list-disc pl-5 text-muted">
            {subscriptions.map(({ id, title, paidUntil }) => (
              <li key={id}>
                {title}
                {paidUntil && `, paid until ${dayWords(paidUntil)}`}
              </li>
            ))}
          </ul>
        </div>
      )}
      {businesses.length > 0 && (
        <Checkbox
          ref={givesUpBox}
          checked={givesUp}
          onChange={({ target }) => setGivesUp(target.checked)}
          error={wrong.givesUp}
          hint="Menu, posts and photos stay with the listing. Take out before what should not."
        >
          I give up {listWords(businesses.map(({ name }) => name))}:{' '}
          {businesses.length === 1 ? 'it stays listed without an owner' : 'they stay listed without an owner'}
        </Checkbox>
      )}
      <Field label={`Type “${deletionWords}”`} error={wrong.typed}>
        <Input ref={typedField} value={typed} autoComplete="off" autoCapitalize="none" onChange={({ target }) => setTyped(target.value)} />
      </Field>
    </ProvenDialog>
  )
}

const Asked = ({ dueAt }: { dueAt: string }) => (
  <Dialog open onOpenChange={() => leave()}>
    <DialogContent title={`Your account is to be deleted on ${dayWords(dueAt)}`} actions={<Button onClick={leave}>Done</Button>}>
      <p className="text-muted">You are signed out everywhere. To keep your account, sign in before that day. We have mailed you this.</p>
    </DialogContent>
  </Dialog>
)

const leave = () => window.location.assign('/')
