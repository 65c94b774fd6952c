import { type FormEvent, useId, useState } from 'react'
import type { Community } from '#contracts/communities.ts'
import { maxJoinRequestLength } from '#contracts/limits.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { RuleList } from './rule-list.tsx'

type AskDialogProps = { community: Community; onClose: () => void; onAsk: (message: string) => void }

export function AskDialog({ community, onClose, onAsk }: AskDialogProps) {
  const formId = useId()
  const [message, setMessage] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAsk(message.trim())
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Ask to join ${community.name}`}
        description="Moderators see your name and this message. We’ll notify you when they let you in."
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId}>
              Send request
            </Button>
          </>
        }
      >
        <form id={formId} onSubmit={submit} className="grid gap-5">
          <Field label="A few words about yourself" optional>
            <Textarea rows={4} maxLength={maxJoinRequestLength} value={message} onChange={(event) => setMessage(event.target.value)} />
          </Field>
          {community.rules.length > 0 && (
            <section aria-label="Rules" className="grid gap-2">
              <h3 className="font-medium text-sm">Rules for members</h3>
              <RuleList rules={community.rules} />
            </section>
          )}
        </form>
      </DialogContent>
    </Dialog>
  )
}
