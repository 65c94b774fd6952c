import { EyeOff } from 'lucide-react'
import { useState } from 'react'
import type { Media } from '../../../contracts/media.ts'
import { Button } from '../../ui/button.tsx'
import { Gallery } from '../media/gallery.tsx'

type CasePicturesProps = { media: readonly Media[]; isCovered: boolean; of: string }

/** The pictures of a case. What is said to show somebody in private is not even fetched until the moderator wants to see it. */
export function CasePictures({ media, isCovered, of }: CasePicturesProps) {
  const [isShown, setShown] = useState(!isCovered)
  if (isShown) {
    return (
      <div className="grid max-w-md gap-2">
        <Gallery media={media} of={of} />
        {isCovered && (
          <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setShown(false)}>
            <EyeOff aria-hidden="true" />
            Cover again
          </Button>
        )}
      </div>
    )
  }
  const [first] = media
  const count = media.length === 1 ? 'A picture is covered' : `${media.length} pictures are covered`
  return (
    <div className="relative isolate grid aspect-[16/10] max-w-md place-items-center overflow-clip rounded-input bg-sunk p-4">
      {first?.placeholder && (
        <img src={first.placeholder} alt="" className="absolute inset-0 -z-1 size-full scale-125 object-cover opacity-50 blur-2xl" />
      )}
      <div className="grid justify-items-center gap-2 rounded-card bg-surface px-5 py-4 text-center">
        <EyeOff aria-hidden="true" className="size-5 text-muted" />
        <p className="font-medium">{count}</p>
        <p className="max-w-[26ch] text-muted text-sm">Reported as showing somebody in private.</p>
        <Button variant="secondary" size="sm" onClick={() => setShown(true)}>
          Show
        </Button>
      </div>
    </div>
  )
}
