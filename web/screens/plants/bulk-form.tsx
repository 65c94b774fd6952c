import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { doing } from '#web/entities/plants/plant-writes.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'

type BulkFormProps = {
  title: string
  description?: string | undefined
  submit: string
  /** Throws the server's error; otherwise returns a success message. Null if the form is incomplete and shows its own errors. */
  act: () => Promise<string | { title: string; description: string | undefined }> | null
  onOpenChange: (open: boolean) => void
  onDone?: (() => void) | undefined
  children: ReactNode
}

export function BulkForm({ title, description, submit, act, onOpenChange, onDone, children }: BulkFormProps) {
  const client = useQueryClient()
  const formId = useId()
  const [isSending, setSending] = useState(false)

  async function send(event: FormEvent) {
    event.preventDefault()
    const begun = act()
    if (!begun) return
    setSending(true)
    const isDone = await doing(client, () => begun)
    setSending(false)
    if (!isDone) return
    onOpenChange(false)
    onDone?.()
  }

  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title={title}
        description={description}
        size="md"
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} pending={isSending} pendingText="Saving..." className="min-h-12">
              {submit}
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={(event) => void send(event)} className="grid gap-5">
          {children}
        </form>
      </DialogContent>
    </Dialog>
  )
}
