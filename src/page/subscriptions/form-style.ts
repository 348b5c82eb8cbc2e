const sheet = `
.page{margin-top:1rem;padding:1.25rem 1rem}
.page p+p,.page form+p{margin-top:.875rem}
.page p+form{margin-top:1.25rem}
.page h2:first-child{margin-top:0}
.address{font-weight:600}
.message{padding:.75rem 1rem;margin-top:1rem;font-weight:600}
.bad{border-color:#c92a2a}
fieldset{margin:0 0 1.5rem;padding:0;border:0;min-width:0}
legend{margin-bottom:.375rem;padding:0;font-weight:650}
fieldset fieldset{margin:.75rem 0 0}
fieldset fieldset legend{font-size:.9375rem;color:var(--soft);font-weight:600}
label{display:flex;align-items:flex-start;gap:.625rem;padding:.3125rem 0}
label.over{display:block;margin-bottom:1rem;font-weight:650}
input[type=checkbox],input[type=radio]{flex:none;width:1.125rem;height:1.125rem;margin:.1875rem 0 0;accent-color:var(--link)}
input[type=email],input[type=password],input[type=text],select{display:block;width:100%;max-width:28rem;margin-top:.375rem;padding:.5625rem .75rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--card);color:var(--text);font:inherit;font-weight:400}
:root{--edge:#868e96}
.tree-of{max-height:22rem;overflow:auto;margin-top:.25rem;margin-inline-start:1.75rem;padding:.25rem .75rem;border:1px solid var(--line);border-radius:.5rem}
.d1{padding-inline-start:1.5rem}.d2{padding-inline-start:3rem}.d3{padding-inline-start:4.5rem}.d4{padding-inline-start:5rem}
button{min-height:2.75rem;padding:.5625rem 1.25rem;border:1px solid var(--link);border-radius:.5rem;background:var(--brand);color:var(--on-brand);font:inherit;font-weight:650;cursor:pointer}
button.quiet{background:none;color:var(--link)}
button:focus-visible,input:focus-visible,select:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.apart{margin-top:1.5rem;padding-top:1.25rem;border-top:1px solid var(--line)}
@media(min-width:40rem){.page{padding:1.5rem 1.75rem}}
`

export const formStyle = sheet.trim().replace(/\n/g, '')
