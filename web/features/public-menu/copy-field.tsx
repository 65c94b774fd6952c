import { Copy } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { toast } from '../../ui/toast-store.ts'

/** Text to take elsewhere: it can be copied at a press, and is marked as a whole where there is no clipboard. */
export function CopyField({ label, value, rows }: { label: string; value: string; rows: number }) {
  const box = useRef<HTMLDivElement>(null)

  async function copy() {
    try {
      await navigator.clipboard.writeText(value)
      toast({ title: 'Copied' })
    } catch {
      // Without https there is no clipboard.
      box.current?.querySelector('textarea')?.select()
      toast({ title: 'Copy it with your keyboard', description: 'The text is selected.' })
    }
  }

  return (
    <div ref={box} className="grid gap-2">
      <Field label={label}>
        <Textarea
          readOnly
          value={value}
          rows={rows}
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
          className="text-sm"
        />
      </Field>
      <Button variant="secondary" size="sm" className="justify-self-start" onClick={() => void copy()}>
        <Copy aria-hidden="true" />
        Copy
      </Button>
    </div>
  )
}
