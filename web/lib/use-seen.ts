import { useEffect, useRef, useState } from 'react'

/** True once the element is within `margin` of the viewport. For deferring heavy content. */
export function useSeen<E extends Element>(margin = '200px') {
  const ref = useRef<E>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || isSeen) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), { rootMargin: margin })
    observer.observe(element)
    return () => observer.disconnect()
  }, [isSeen, margin])
  return { ref, isSeen }
}
