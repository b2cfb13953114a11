import { useData } from 'vitepress'
import { defineComponent, h, onMounted, ref, watch } from 'vue'

let drawn = 0

/** Draws a Mermaid diagram in the browser. The library is loaded only by pages that have one. */
export const MermaidDiagram = defineComponent({
  props: { code: { type: String, required: true } },
  setup(props) {
    const { isDark } = useData()
    const svg = ref('')
    const frame = ref<HTMLElement>()
    const source = decodeURIComponent(props.code)
    const draw = async () => {
      const { default: mermaid } = await import('mermaid')
      mermaid.initialize({
        startOnLoad: false,
        securityLevel: 'strict',
        theme: isDark.value ? 'dark' : 'neutral',
        fontFamily: 'inherit',
      })
      // Texts are measured inside the frame, where the style sheet of the page applies to them.
      svg.value = (await mermaid.render(`diagram-${drawn++}`, source, frame.value)).svg
    }
    onMounted(draw)
    watch(isDark, draw)
    return () =>
      h('div', { class: 'diagram' }, [
        h('div', { ref: frame, class: 'measure', 'aria-hidden': true }),
        svg.value ? h('div', { innerHTML: svg.value }) : h('pre', source),
      ])
  },
})
