// The cut of a fresh shoe, by a slider of the cut card; where nobody cuts, the house does in its own name (PROC-6).
import { $ } from "../dom.js";
import { orTell } from "../notices.js";
import { api } from "../server.js";
import { counted } from "../words.js";
import { page, receive, table } from "./page.js";

const [slider, end, button] = [$("#b-cut-depth"), $("#b-cut-end"), $("#b-cut-now")];

function showDepth() {
  $("#b-cut-words").textContent = slider.disabled
    ? "The cut"
    : `${counted(Number(slider.value), "card")} from the ${end.value}`;
}

export function showCut() {
  const { shoe, you } = page.state;
  const open = (you.seated && shoe.cut_open) || null;
  const key = open ? String(shoe.number) : "";
  if (open && slider.dataset.shoe !== key) {
    slider.min = open.least_cards;
    slider.max = open.most_cards;
    slider.value = open.middle_cards;
  }
  slider.dataset.shoe = key;
  for (const one of [slider, end, button]) one.disabled = !open;
  slider.parentElement.classList.toggle("closed", !open);
  showDepth();
}
slider.addEventListener("input", showDepth);
end.addEventListener("change", showDepth);
button.addEventListener("click", () =>
  orTell(async () => {
    const cut = { cards_deep: Number(slider.value), end: end.value };
    receive(await api("POST", `/tables/${table}/cut`, cut));
  }),
);
