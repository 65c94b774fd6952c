import { Download, Printer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { brand } from '../../lib/boot.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'

type RecoveryCodesProps = { codes: readonly string[]; doneText: string; onDone: () => void }

/** Shown this once. The way on opens when somebody says that they are kept. */
export function RecoveryCodes({ codes, doneText, onDone }: RecoveryCodesProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [isKept, setKept] = useState(false)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section aria-labelledby="recovery-codes" className="grid gap-4">
      <div>
        <h2 id="recovery-codes" ref={heading} tabIndex={-1} className="text-xl">
          Keep your recovery codes
        </h2>
        <p className="mt-1 text-muted">
          Each lets you in once when the app is not at hand. They are shown now and never again: print them, or keep them in a password
          manager, not on the same phone.
        </p>
      </div>
      <ul className="grid gap-x-8 gap-y-2 rounded-input bg-sunk p-4 font-mono tabular-nums sm:grid-cols-2 sm:p-5">
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => save(codes)}>
          <Download aria-hidden="true" />
          Save as a file
        </Button>
        <Button variant="secondary" onClick={() => window.print()}>
          <Printer aria-hidden="true" />
          Print
        </Button>
      </div>
      <Checkbox checked={isKept} onChange={(event) => setKept(event.target.checked)}>
        I have kept these codes
      </Checkbox>
      <Button className="justify-self-start" disabled={!isKept} onClick={onDone}>
        {doneText}
      </Button>
    </section>
  )
}

function save(codes: readonly string[]) {
  const text = `${brand.name}: recovery codes, each works once\n\n${codes.join('\n')}\n`
  saveFile(`${brand.slug}-recovery-codes.txt`, new Blob([text], { type: 'text/plain' }))
}
