const storedPlace = (memory: string): [number, number] => {
  try {
    const [x, y] = JSON.parse(localStorage.getItem(memory) ?? '[0,0]')
    return [Number(x) || 0, Number(y) || 0]
  } catch {
    return [0, 0]
  }
}
const storePlace = (memory: string, offset: [number, number]) => {
  try {
    localStorage.setItem(memory, JSON.stringify(offset))
  } catch {}
}

let resizing: AbortController | undefined

/** Lets readers move the button by a pointer, or by the arrow keys with Shift, within the window. */
export function movable(frame: HTMLElement, button: HTMLElement, memory: string): { wasMoved: () => boolean } {
  let offset = storedPlace(memory)
  let moved = false
  const apply = () => {
    frame.style.translate = '0 0'
    const box = button.getBoundingClientRect()
    const clamp = (value: number, start: number, size: number, room: number) =>
      Math.min(Math.max(value, 8 - start), room - 8 - start - size)
    offset = [clamp(offset[0], box.left, box.width, innerWidth), clamp(offset[1], box.top, box.height, innerHeight)]
    frame.style.translate = `${offset[0]}px ${offset[1]}px`
  }
  button.addEventListener('pointerdown', (down) => {
    moved = false
    const [x, y] = offset
    const follow = (event: PointerEvent) => {
      const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY]
      if (!moved && Math.hypot(dx, dy) < 6) return
      moved = true
      offset = [x + dx, y + dy]
      apply()
    }
    button.setPointerCapture(down.pointerId)
    button.addEventListener('pointermove', follow)
    const end = () => {
      button.removeEventListener('pointermove', follow)
      if (moved) storePlace(memory, offset)
    }
    button.addEventListener('pointerup', end, { once: true })
    button.addEventListener('pointercancel', end, { once: true })
  })
  button.addEventListener('keydown', (event) => {
    moved = false
    const towards = (one: string, other: string) => 16 * (Number(event.key === one) - Number(event.key === other))
    const [dx, dy] = [towards('ArrowRight', 'ArrowLeft'), towards('ArrowDown', 'ArrowUp')]
    if (!event.shiftKey || dx + dy === 0) return
    event.preventDefault()
    offset = [offset[0] + dx, offset[1] + dy]
    apply()
    storePlace(memory, offset)
  })
  requestAnimationFrame(apply)
  resizing?.abort()
  resizing = new AbortController()
  addEventListener('resize', apply, { signal: resizing.signal })
  return {
    wasMoved: () => {
      const was = moved
      moved = false
      return was
    },
  }
}
