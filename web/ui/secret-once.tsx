import { Copy } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast-store.ts'

type SecretOnceProps = { title: string; titleId: string; label: string; secret: string; onDone: () => void; children: ReactNode }

/** A secret right after it was created, in place of the form. */
export function SecretOnce({ title, titleId, label, secret, onDone, children }: SecretOnceProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const field = useRef<HTMLInputElement>(null)
  // The form that had focus is gone.
  useEffect(() => heading.current?.focus(), [])
  async function copy() {
    try {
      await navigator.clipboard.writeText(secret)
      toast({ title: 'Copied' })
    } catch {
      // The clipboard requires HTTPS.
      field.current?.select()
      toast({ title: 'Copy it with your keyboard', description: `The ${label.toLowerCase()} is selected.` })
    }
  }
  return (
    <>
      <div>
        <h3 id={titleId} ref={heading} tabIndex={-1} className="text-lg">
          {title}
        </h3>
        <p className="mt-1 text-muted text-sm">{children}</p>
      </div>
      <Field label={label}>
        <Input
          ref={field}
          readOnly
          value={secret}
          spellCheck={false}
          autoComplete="off"
          onFocus={(event) => event.currentTarget.select()}
          className="text-sm"
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copy()}>
          <Copy aria-hidden="true" />
          Copy
        </Button>
        <Button variant="secondary" onClick={onDone}>
          Done
        </Button>
      </div>
    </>
  )
}
