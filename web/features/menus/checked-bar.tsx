import { X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { inStock, outOfStock } from './menu-columns.ts'

type CheckedBarProps = {
  count: number
  isConfirming: boolean
  onConfirm: () => void
  onInStock: () => void
  onOutOfStock: () => void
  onRemove: () => void
  onClear: () => void
}

/** What can be done to the items whose boxes are checked. */
export function CheckedBar({ count, isConfirming, onConfirm, onInStock, onOutOfStock, onRemove, onClear }: CheckedBarProps) {
  return (
    <section
      aria-label="Selected items"
      className="mb-3 flex animate-appear flex-wrap items-center gap-2 rounded-card border border-leaf/40 bg-leaf-soft px-3 py-2"
    >
      <p role="status" className="mr-2 font-medium text-sm tabular-nums">
        {count} selected
      </p>
      <Button variant="secondary" size="sm" pending={isConfirming} onClick={onConfirm}>
        Still right
      </Button>
      <Button variant="secondary" size="sm" onClick={onInStock}>
        {inStock}
      </Button>
      <Button variant="secondary" size="sm" onClick={onOutOfStock}>
        {outOfStock}
      </Button>
      <Button variant="secondary" size="sm" onClick={onRemove}>
        Remove
      </Button>
      <IconButton label="Clear selection" size="sm" className="ml-auto" onClick={onClear}>
        <X aria-hidden="true" />
      </IconButton>
    </section>
  )
}
