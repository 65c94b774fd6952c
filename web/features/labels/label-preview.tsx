import { type LabelSheet, labelsOf } from '../../../contracts/labels.ts'
import type { Plant } from '../../../contracts/plants.ts'
import { cx } from '../../ui/cx.ts'
import { QrModules } from '../../ui/qr-code.tsx'

type OneLabelProps = { sheet: LabelSheet; plant: Pick<Plant, 'name' | 'code'>; label: string; huntName: string | null }

/** One label as it comes from the printer, black on white in either theme. The measures are millimeters. */
export function OneLabel({ sheet, plant, label, huntName }: OneLabelProps) {
  const { width, height } = sheet
  const side = Math.min(height - 1, width / 2)
  const x = 1 + side + 1
  const room = width - x - 1.5
  return (
    <svg
      role="img"
      aria-label={`Label of ${plant.name}: ${[label, plant.code, huntName].filter(Boolean).join(', ')}, and a code to scan`}
      viewBox={`0 0 ${width} ${height}`}
      className="w-full max-w-sm rounded-tag bg-[#fff] shadow-lift"
    >
      <QrModules text={`${location.origin}/pheno-hunt/log/${plant.code}`} x={1} y={(height - side) / 2} side={side} />
      <g fill="#17291f" fontFamily="var(--font-sans)">
        <FittedText x={x} y={9.5} size={9} room={room}>
          {plant.name}
        </FittedText>
        <FittedText x={x} y={14} size={3.6} room={room}>
          {label}
        </FittedText>
        <FittedText x={x} y={height - (huntName ? 5.2 : 2.2)} size={4.2} room={room}>
          {plant.code}
        </FittedText>
        <FittedText x={x} y={height - 2} size={2.6} room={room}>
          {huntName ?? ''}
        </FittedText>
      </g>
    </svg>
  )
}

/** Squeezed where it would be too wide; the printed one takes a smaller size. */
function FittedText({ x, y, size, room, children }: { x: number; y: number; size: number; room: number; children: string }) {
  const isWide = children.length * size * 0.62 > room
  return (
    <text x={x} y={y} fontSize={size} {...(isWide && { textLength: room, lengthAdjust: 'spacingAndGlyphs' })}>
      {children}
    </text>
  )
}

type SheetMapProps = { sheet: LabelSheet; count: number; start: number; onStart: (start: number) => void }

/** The first sheet from above: what is used already, what will be printed. Pressing a place begins there. */
export function SheetMap({ sheet, count, start, onStart }: SheetMapProps) {
  const places = Array.from({ length: labelsOf(sheet) }, (_, i) => i + 1)
  const words = (place: number) => (place < start ? 'used' : place < start + count ? 'printed' : 'left blank')
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${sheet.paperWidth} ${sheet.paperHeight}`}
      className="w-full max-w-60 rounded-tag border border-line bg-[#fff]"
    >
      {places.map((place) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the field beside it does the same by keyboard
        <rect
          key={place}
          x={sheet.left + ((place - 1) % sheet.columns) * sheet.pitchX + 0.6}
          y={sheet.top + Math.floor((place - 1) / sheet.columns) * sheet.pitchY + 0.6}
          width={sheet.width - 1.2}
          height={sheet.height - 1.2}
          rx={2}
          onClick={() => onStart(place)}
          className={cx(
            'cursor-pointer',
            words(place) === 'printed' ? 'fill-leaf' : words(place) === 'used' ? 'fill-[#d5d5cf]' : 'fill-[#f3f3ee]',
          )}
        />
      ))}
    </svg>
  )
}
