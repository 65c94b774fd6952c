import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react'

const carriesFiles = (transfer: DataTransfer) => transfer.types.includes('Files')

/** Spread `handlers` on the element that accepts files. */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  // Child elements also fire enter and leave events, so count these.
  const depth = useRef(0)
  const end = () => {
    depth.current = 0
    setOver(false)
  }
  const handlers = {
    onDragEnter: (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return
      depth.current += 1
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return
      depth.current -= 1
      if (depth.current <= 0) end()
    },
    onDragOver: (event: DragEvent) => {
      if (carriesFiles(event.dataTransfer)) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      end()
      onFiles([...event.dataTransfer.files])
    },
    onPaste: (event: ClipboardEvent) => {
      const files = [...event.clipboardData.files]
      // Text copied from office programs includes a picture of itself.
      if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return
      event.preventDefault()
      onFiles(files)
    },
  }
  return { isOver, handlers }
}
