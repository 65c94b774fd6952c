import { Copy } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast-store.ts'

type CopyButtonProps = Pick<ButtonProps, 'variant' | 'size' | 'className' | 'children'> & {
  text: string
  /** Names the text at the start of a message, such as "The example". */
  name: string
  /** The element that shows the text, which is selected if the browser doesn't allow copying. */
  shownIn: RefObject<HTMLElement | null>
}

/** Copies text. If the browser doesn't allow that, selects it instead. */
export function CopyButton({ text, name, shownIn, children = 'Copy', ...look }: CopyButtonProps) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toast({ title: 'Copied' })
    } catch {
      // The clipboard requires HTTPS.
      if (shownIn.current) selectContent(shownIn.current)
      toast({ title: 'Copy it with your keyboard', description: `${name} is selected.` })
    }
  }
  return (
    <Button {...look} onClick={() => void copy()}>
      <Copy aria-hidden="true" />
      {children}
    </Button>
  )
}

function selectContent(element: HTMLElement): void {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.select()
  else window.getSelection()?.selectAllChildren(element)
}

type SecretOnceProps = { title: string; titleId: string; label: string; secret: string; onDone: () => void; children: ReactNode }

/** Shows a new secret in place of the form that created it. */
export function SecretOnce({ title, titleId, label, secret, onDone, children }: SecretOnceProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => heading.current?.focus(), [])
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
        <CopyButton text={secret} name={`The ${label.toLowerCase()}`} shownIn={field} />
        <Button variant="secondary" onClick={onDone}>
          Done
        </Button>
      </div>
    </>
  )
}
