import { ImagePlus } from 'lucide-react'
import type { BusinessType } from '../../../contracts/business-types.ts'
import type { Media } from '../../../contracts/media.ts'
import { FieldGroup } from '../../ui/field.tsx'
import { acceptedImages, fileProblem, kindOf } from '../media/check-file.ts'
import { FileChoice } from '../media/file-choice.tsx'
import { useOneUpload } from '../media/use-one-upload.ts'
import { ProductPicture } from './product-picture.tsx'

type PictureFieldProps = {
  itemId: string
  type: BusinessType
  image: Media | null
  onChange: (image: Media | null) => void
  onBusy: (isBusy: boolean) => void
}

const problemOf = (file: File) => (kindOf(file) === 'video' ? 'Choose a picture: a product has no video.' : fileProblem(file))

/** A product's photo. Without one, shoppers see the drawing that stands here. */
export function PictureField({ itemId, type, image, onChange, onBusy }: PictureFieldProps) {
  const upload = useOneUpload({ problemOf, onReady: onChange, onBusy })
  return (
    <FieldGroup legend="Picture">
      <div className="flex items-start gap-4">
        <ProductPicture product={{ id: itemId, image }} type={type} className="size-24" />
        <div className="grid min-w-0 flex-1 gap-2">
          <FileChoice upload={upload} accept={acceptedImages} label="Photo of the product" onRemove={image ? () => onChange(null) : null}>
            <ImagePlus aria-hidden="true" />
            {image ? 'Change' : 'Add a photo'}
          </FileChoice>
          {!image && upload.state.status === 'none' && (
            <p className="text-muted text-sm">Without a photo, this drawing stands in for it.</p>
          )}
        </div>
      </div>
    </FieldGroup>
  )
}
